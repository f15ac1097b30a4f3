import { useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { importStatement, type PaymentAccount, statementBytes } from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { payerWords } from '#web/features/admin/shared/payment-facts.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatAmount, formatCount, formatMegabytes } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { join } from '#web/ui/join.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { AccountField, onlyAccount } from './account-field.tsx';
import { stateWords } from './payment-table.tsx';
import { paymentReads } from './use-approve.ts';

/** A statement of an operator: read as a whole when it is chosen, and written on request. */
export function StatementDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const [account, setAccount] = useState(onlyAccount(accounts));
  const load = useStatement({ onImported: onClose });
  const { checked, check, write } = load;
  const isOther = checked !== undefined && checked.account !== account;
  const result = check.busy || isOther ? undefined : checked?.result;
  // The account may change while a file is read for another one.
  useEffect(() => {
    if (checked && isOther && account && !check.busy) void check.run(checked.file, account);
  }, [checked, isOther, account, check]);
  return (
    <Dialog wide title="Importer un relevé" onClose={onClose}>
      <div className="mt-4 flex flex-col gap-4">
        <AccountField accounts={accounts} value={account} onChoose={setAccount} />
        {account && <FileDrop isOther={checked !== undefined} onChoose={(file) => check.run(file, account)} />}
        <p role="status" className="flex items-center gap-3 empty:hidden">
          {check.busy && (
            <>
              <Spinner /> <span>Lecture du relevé...</span>
            </>
          )}
        </p>
        <p role="alert" className="wrap-anywhere rounded-xl bg-brick-pale px-3 py-2 text-brick empty:hidden">
          {checked?.problem && `${checked.file.name}\u00a0: ${checked.problem}`}
        </p>
        {checked && result && (
          <>
            <Summary name={checked.file.name} result={result} />
            <FirstRows rows={result.first} />
            <Faults faults={result.faults} />
          </>
        )}
        <DialogButtons>
          <Button variant="plain" onClick={onClose}>
            Fermer
          </Button>
          {checked && result && account && result.created + result.completed > 0 && (
            <Button busy={write.busy} onClick={() => write.run(checked.file, account)}>
              Importer
            </Button>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}

type Result = ResponseOf<typeof importStatement>;

interface Checked {
  file: File;
  /** The account that it was read for. */
  account: string;
  /** The result of the dry run. */
  result?: Result;
  problem?: string;
}

/** Reads a file by a dry run, and writes it on request; the same file twice changes nothing. */
function useStatement({ onImported }: { onImported: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [checked, setChecked] = useState<Checked>();
  const ask = async (file: File, account: string, dryRun: boolean) => {
    try {
      return await call(importStatement, { file, body: { accountId: Number(account), dryRun } });
    } catch (error) {
      const [problem = failureSentence(error, "Le relevé n'a pas pu être lu.")] = Object.values(serverErrors(error));
      setChecked({ file, account, problem });
      return undefined;
    }
  };
  const check = useAction(async (file: File, account: string) => {
    setChecked({ file, account });
    if (file.size > statementBytes) {
      const problem = `Ce fichier fait ${formatMegabytes(file.size)}\u00a0: ${formatMegabytes(statementBytes)} au plus.`;
      return setChecked({ file, account, problem });
    }
    const result = await ask(file, account, true);
    if (result) setChecked({ file, account, result });
  });
  const write = useAction(async (file: File, account: string) => {
    const result = await ask(file, account, false);
    if (!result) return;
    toast(
      result.written
        ? {
            title: 'Relevé importé',
            description: `${formatCount(result.created)} paiement(s) ajouté(s), ${formatCount(result.completed)} complété(s).`,
          }
        : { title: 'Relevé déjà importé', description: "Rien n'a changé." },
    );
    onImported();
    await refresh(...paymentReads);
  });
  return { checked, check, write };
}

/** A place to drop a file, with a button that chooses one. */
function FileDrop({ isOther, onChoose }: { isOther: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <fieldset
      className={join(
        'flex min-w-0 flex-wrap items-center justify-center gap-3 rounded-xl border border-dashed p-4',
        isOver ? 'border-leaf bg-leaf-pale' : 'border-edge bg-ground',
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) onChoose(file);
      }}
    >
      <legend className="sr-only">Relevé</legend>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.xlsx,.xls,.txt,text/csv,application/vnd.ms-excel,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-label="Fichier du relevé"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onChoose(file);
          // So that a corrected file of the same name can be chosen again.
          target.value = '';
        }}
      />
      <Button variant="plain" onClick={() => input.current?.click()}>
        {isOther ? 'Choisir un autre fichier' : 'Choisir un fichier'}
      </Button>
      <p className="text-center text-soft text-sm">
        ou déposez-le ici. CSV, XLSX ou XLS, comme l'opérateur le donne. Il est d'abord lu, sans rien écrire.
      </p>
    </fieldset>
  );
}

function Summary({ name, result }: { name: string; result: Result }) {
  const { model, from, to, rows, payments, created, completed, unchanged } = result;
  return (
    <section aria-label="Relevé lu" className="rounded-xl border border-line px-4 py-3">
      <h3 className="wrap-anywhere mb-2 font-semibold">{name}</h3>
      <Facts>
        <Fact name="Modèle">{model}</Fact>
        {from && to && (
          <Fact name="Période">
            <Moment instant={from} /> → <Moment instant={to} />
          </Fact>
        )}
        <Fact name="Lignes">{formatCount(rows)}</Fact>
        <Fact name="Paiements reçus">{formatCount(payments)}</Fact>
        <Fact name="À ajouter">{formatCount(created)}</Fact>
        <Fact name="À compléter">{formatCount(completed)}</Fact>
        <Fact name="Déjà connus">{formatCount(unchanged)}</Fact>
      </Facts>
      {created + completed === 0 && (
        <p role="status" className="mt-2">
          Rien à importer&nbsp;: tout est déjà connu.
        </p>
      )}
    </section>
  );
}

function FirstRows({ rows }: { rows: Result['first'] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="statement-rows">
      <h3 id="statement-rows" className="font-semibold">
        Premières lignes, comme elles sont lues
      </h3>
      <ul className="mt-1 divide-y divide-line text-sm">
        {rows.map(({ row, gross, fee, reference, payer, paidAt, state, direction }) => (
          <li key={row} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2">
            <span className="text-soft">{`Ligne ${formatCount(row)}`}</span>
            <strong className="tabular-nums">{`${direction === 'in' ? '' : '− '}${formatAmount(gross)}`}</strong>
            <Moment instant={paidAt} />
            {payer && <span className="tabular-nums">{payerWords(payer)}</span>}
            {reference && <span className="break-all font-mono">{reference}</span>}
            {fee !== null && fee !== 0 && <span className="text-soft">{`Frais ${formatAmount(fee / 100)}`}</span>}
            <Badge small tone={stateWords[state].tone}>
              {stateWords[state].words}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Faults({ faults }: { faults: Result['faults'] }) {
  if (faults.length === 0) return null;
  return (
    <section aria-labelledby="statement-faults">
      <h3 id="statement-faults" className="font-semibold text-brick">
        {faults.length === 1
          ? "Une ligne n'a pas pu être lue"
          : `${formatCount(faults.length)} lignes n'ont pas pu être lues`}
      </h3>
      <ul className="mt-1 text-sm">
        {faults.map(({ row, message }) => (
          <li key={`${row} ${message}`} className="wrap-anywhere">{`Ligne ${formatCount(row)}\u00a0: ${message}`}</li>
        ))}
      </ul>
    </section>
  );
}
