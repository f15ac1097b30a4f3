/** The columns of a catalogue file, by the fields that they hold; a file may name them by either. */
export const catalogueColumns = {
  id: 'Identifiant',
  parent: 'Parent',
  name: 'Nom',
  description: 'Description',
  price: 'Prix',
  isFinalLevel: 'Service final',
  isVisible: 'Visible',
  allowUserPriceInput: 'Prix personnalisé',
  commissionType: 'Type de commission',
  commissionValue: 'Commission',
  commissionRanges: 'Tranches',
  textSize: 'Taille du texte',
  textColor: 'Couleur du texte',
  textStyle: 'Style du texte',
  phoneNumber: 'Code à composer',
  sortOrder: 'Ordre',
  operatorNote: 'Note interne',
} as const;
export type CatalogueColumn = keyof typeof catalogueColumns;
