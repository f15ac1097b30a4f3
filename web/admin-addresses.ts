import { type AdminTab, adminAddresses } from './addresses.ts';

/** A tab's address with its query, which holds its state. */
export const adminTabAddress = (tab: AdminTab, search = '') => adminAddresses[tab] + (search && `?${search}`);
export const ticketQueueAddress = adminTabAddress('tickets', 'vue=file');
export const adminTicketAddress = (id: number) => adminTabAddress('tickets', `ticket=${id}`);
export const adminUserAddress = (id: number) => adminTabAddress('users', `utilisateur=${id}`);
export const adminUserTicketsAddress = (id: number) => adminTabAddress('tickets', `utilisateur=${id}`);
/** The audit log, by a person or about an object. */
export const adminAuditAddress = (filter: Record<string, string | number>) =>
  adminTabAddress(
    'settings',
    new URLSearchParams({ section: 'journal', ...filter } as Record<string, string>).toString(),
  );
export const paymentAccountsAddress = adminTabAddress('payments', 'section=comptes');
/** A view of the incoming payments; `search` finds some of all. */
export const incomingPaymentsAddress = (view = '', search = '') =>
  adminTabAddress(
    'payments',
    new URLSearchParams({
      section: 'encaissements',
      ...(view && { vue: view }),
      ...(search && { recherche: search }),
    }).toString(),
  );

/** The closing of an account's day; without one, of yesterday. */
export const closingAddress = (of: { accountId: number; day: string } | null) =>
  incomingPaymentsAddress('cloture') + (of ? `&compte=${of.accountId}&jour=${of.day}` : '');

/** The panel's tab at an address. */
export function readAdminTab(path: string): AdminTab | undefined {
  const bare = path.toLowerCase().replace(/\/$/, '');
  const found = Object.entries(adminAddresses).find(([, address]) => address === bare);
  return found?.[0] as AdminTab | undefined;
}
