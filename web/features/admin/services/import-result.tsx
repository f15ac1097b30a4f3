import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Import } from './use-import.ts';

/** The effect of the chosen file, or its errors. */
export function ImportResult({ load: { checked, check, write } }: { load: Import }) {
  return (
    <div className="w-full">
      <p role="status" className="flex items-center gap-3 empty:hidden">
        {check.busy && (
          <>
            <Spinner /> Vérification du fichier...
          </>
        )}
      </p>
      <p role="alert" className="wrap-anywhere rounded-xl bg-brick-pale px-3 py-2 text-brick empty:hidden">
        {checked?.problem && `${checked.name} : ${checked.problem}`}
      </p>
      {checked?.result && !check.busy && <Answer name={checked.name} result={checked.result} write={write} />}
    </div>
  );
}

type Result = NonNullable<NonNullable<Import['checked']>['result']>;

function Answer({ name, result, write }: { name: string; result: Result; write: Import['write'] }) {
  const { created, updated, unchanged, errors } = result;
  if (errors.length > 0) return <Errors name={name} errors={errors} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="rounded-xl border border-line px-4 py-3">
        <h4 className="wrap-anywhere mb-2 font-semibold">{name}</h4>
        <Facts>
          <Fact name="Services à créer">{formatCount(created)}</Fact>
          <Fact name="Services à mettre à jour">{formatCount(updated)}</Fact>
          <Fact name="Services inchangés">{formatCount(unchanged)}</Fact>
        </Facts>
      </div>
      {created + updated > 0 ? (
        <Button className="w-full" busy={write.busy} onClick={() => write.run()}>
          Importer
        </Button>
      ) : (
        <p role="status">Rien à importer : le catalogue est déjà ainsi.</p>
      )}
    </div>
  );
}

function Errors({ name, errors }: { name: string; errors: Result['errors'] }) {
  return (
    <>
      <p role="alert" className="wrap-anywhere mb-2 font-medium text-brick">
        {name} : {errors.length === 1 ? 'une erreur' : `${formatCount(errors.length)} erreurs`}. Rien n’a été importé.
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label="Erreurs du fichier"
        className="max-h-[40dvh] overflow-auto rounded-xl border border-line"
      >
        <table className="w-full text-sm">
          <thead>
            <tr className="bg-ground text-left text-soft">
              <th scope="col" className="px-3 py-2 text-right font-semibold">
                Ligne
              </th>
              <th scope="col" className="px-3 py-2 font-semibold">
                Colonne
              </th>
              <th scope="col" className="px-3 py-2 font-semibold">
                Message
              </th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ line, column, message }) => (
              <tr key={`${line} ${column} ${message}`} className="border-line border-t align-top">
                <td className="px-3 py-2 text-right tabular-nums">{formatCount(line)}</td>
                <td className="px-3 py-2 font-mono">{column ?? '—'}</td>
                <td className="wrap-anywhere px-3 py-2">{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
