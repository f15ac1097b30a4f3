import { useMemo } from 'react';
import { listBeneficiaries } from '#contract/beneficiaries.ts';
import { formatPhone } from '#contract/phone.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useAuth } from './auth.tsx';

/** The numbers that the person gave names to, also offline; a guest has none. */
export function useBeneficiaries() {
  const { user } = useAuth();
  const enabled = user !== undefined && !user.isGuest;
  return useEndpoint(listBeneficiaries, {}, { keep: true, enabled, freshForMs: freshForMs.beneficiaries });
}

/** The names by their numbers, in E.164; none until they are known. */
export function useBeneficiaryNames(): ReadonlyMap<string, string> {
  const { data } = useBeneficiaries();
  return useMemo(() => new Map(data?.map(({ phone, name }) => [phone, name])), [data]);
}

/** 'Maman · +226 70 12 34 56', 'moi · …' of the person's own, or the number alone; `short` is the name without its number. */
export function Beneficiary({ phone, short }: { phone: string; short?: boolean }) {
  const { user } = useAuth();
  const name = useBeneficiaryNames().get(phone) ?? (phone === user?.phone ? 'moi' : undefined);
  return (
    <>
      {name && <span className="wrap-anywhere">{short ? name : `${name}\u00a0· `}</span>}
      {!(short && name) && <span className="inline-block tabular-nums">{formatPhone(phone)}</span>}
    </>
  );
}
