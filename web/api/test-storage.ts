/** A fake storage with room for so many characters of values. */
export function makeStorage(room = Number.POSITIVE_INFINITY): Storage {
  const entries: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    removeItem: (key: string) => void delete entries[key],
    clear: () => Object.keys(entries).forEach(methods.removeItem),
    setItem(key: string, value: string) {
      const others = Object.entries(entries).filter(([each]) => each !== key);
      if (others.reduce((sum, [, text]) => sum + text.length, value.length) > room)
        throw new DOMException('full', 'QuotaExceededError');
      entries[key] = value;
    },
  };
  // As in a browser: the keys are own properties, the methods are not.
  return new Proxy(entries, { get: (_, name: string) => methods[name as keyof typeof methods] }) as unknown as Storage;
}
