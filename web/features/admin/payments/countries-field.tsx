import { type CountryCode, countries } from '#contract/phone.ts';

/** A choice of countries; none means all. */
export function CountriesField({
  chosen,
  onChange,
}: {
  chosen: readonly CountryCode[];
  onChange: (chosen: CountryCode[]) => void;
}) {
  const codes = countries.map(({ code }) => code as CountryCode);
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold text-sm">Pays</legend>
      <p className="text-soft text-sm">Aucun coché&nbsp;: proposé dans tous les pays.</p>
      <div className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))]">
        {countries.map(({ code, flag, name }) => (
          <label key={code} className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-leaf"
              checked={chosen.some((each) => each === code)}
              onChange={({ target: { checked } }) =>
                onChange(codes.filter((each) => (each === code ? checked : chosen.includes(each))))
              }
            />
            <span>
              <span aria-hidden="true">{flag}</span> {name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
