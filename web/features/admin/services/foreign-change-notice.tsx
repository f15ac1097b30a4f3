import { Button } from '#web/ui/button.tsx';
import type { DraftField } from './service-draft.ts';
import type { ForeignChange } from './use-service-editor.ts';

const names: Record<DraftField, string> = {
  name: 'nom',
  description: 'description',
  price: 'prix',
  parentId: 'service parent',
  isFinalLevel: 'service final',
  isVisible: 'visibilité',
  allowUserPriceInput: 'prix personnalisé',
  commissionType: 'commission',
  commissionValue: 'commission',
  commissionRanges: 'commission',
  textSize: 'texte',
  textColor: 'texte',
  textStyle: 'texte',
  phoneNumber: 'code',
  operatorNote: 'note interne',
  sortOrder: 'ordre',
  image: 'image',
};

/**
 * A notice of another administrator's change to the edited service, with an offer to merge it. Always rendered, as a
 * live region must be.
 */
export function ForeignChangeNotice({
  change,
  onTakeOver,
}: {
  change: ForeignChange | undefined;
  onTakeOver: () => void;
}) {
  const fields = change === 'deleted' ? [] : [...new Set(change?.fields.map((field) => names[field]))];
  return (
    <div role="alert" className="sticky -top-2 z-10 rounded-xl bg-amber-pale px-3.5 py-2.5 text-amber empty:hidden">
      {change === 'deleted' && <p className="font-medium">Un autre administrateur vient de supprimer ce service.</p>}
      {change && change !== 'deleted' && (
        <>
          <p className="font-medium">Un autre administrateur vient de modifier ce service.</p>
          {fields.length > 0 && <p className="text-sm">Changements : {fields.join(', ')}.</p>}
          <Button variant="plain" small className="mt-2" onClick={onTakeOver}>
            Reprendre ces changements
          </Button>
        </>
      )}
    </div>
  );
}
