/**
 * Where a service stands in the catalogue, as it is told of an order: 'Burkina Faso · Orange · Forfaits internet'. The names
 * between the root and the service, or the root where it stands directly below it.
 */
export function servicePlace(path: readonly { name: string }[]): string {
  const above = path.slice(0, -1).map(({ name }) => name);
  const told = above.length > 1 ? above.slice(1) : above;
  // A dot ends a line; none begins one.
  return told.join('\u00a0· ');
}
