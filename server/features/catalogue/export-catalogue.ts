import { stringify } from 'csv-stringify/sync';
import type { Db } from '#server/database/connect.ts';
import { guardCell } from '#server/http/formula-guard.ts';
import { fieldColumns, fileColumns, formatOf } from './file-cells.ts';
import { type CataloguedService, listAllServices } from './store.ts';

/** The catalogue as a CSV file that a French spreadsheet opens: each service followed by all that is below it. */
export async function exportCatalogue(db: Db): Promise<string> {
  const children = Map.groupBy(await listAllServices(db), (service) => service.parentId);
  const withAllBelow = (service: CataloguedService): CataloguedService[] => [
    service,
    ...(children.get(service.id) ?? []).flatMap(withAllBelow),
  ];
  const rows = (children.get(null) ?? []).flatMap(withAllBelow).map(writeRow);
  return stringify([fileColumns, ...rows], {
    bom: true,
    delimiter: ';',
    record_delimiter: '\r\n',
    // Of the two characters of a line's end csv-stringify quotes a cell for both together only.
    quoted_match: /[\r\n]/,
  });
}

function writeRow(service: CataloguedService): string[] {
  const fields = fieldColumns.map((column) => formatOf(column).write(service));
  return [service.id, service.parentId ?? '', ...fields].map((cell) =>
    typeof cell === 'number' ? String(cell) : guardCell(cell),
  );
}
