/** The day of what stands below it in a list. */
export function DayHeading({ children }: { children: string }) {
  return <h2 className="mb-2 font-bold text-small text-soft first-letter:uppercase">{children}</h2>;
}
