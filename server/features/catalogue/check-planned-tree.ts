import { maximumLevel } from '#contract/levels.ts';
import type { ImportRefusals } from './import-refusals.ts';
import { importSentences } from './import-sentences.ts';
import { isHungAnew, type NamedService, type PlannedService } from './planned-service.ts';
import { finalWithChildren, levelUnder, tooDeep, underItself } from './service-checks.ts';

/**
 * Finds the level of every service and refuses lines that break the catalogue's rules. Its sentences are those of the calls
 * for one service. Lines are judged together, not one by one.
 */
export function checkPlannedTree(services: readonly PlannedService[], refusals: ImportRefusals): void {
  const children = Map.groupBy(services, ({ parent }) => parent);
  const reached = new Set(children.get(null));
  const carriers = new Map<PlannedService, NamedService>();
  for (const service of reached) {
    const carrier = isHungAnew(service) ? service : service.parent && carriers.get(service.parent);
    if (carrier) carriers.set(service, carrier);
    service.level = (service.parent?.level ?? 0) + 1;
    if (carrier === service) checkPlace(carrier, refusals);
    else if (carrier && service.level > maximumLevel && !refusals.isRefused(carrier.row))
      refusals.refuse(carrier.row, 'parent', tooDeep().message);
    for (const child of children.get(service) ?? []) reached.add(child);
  }
  const inCircles = findCircles(services.filter((service) => !reached.has(service)));
  for (const service of services) {
    const below = children.get(service) ?? [];
    if (becomesFinal(service) && !below.every(isHungAnew))
      refusals.refuse(service.row, 'isFinalLevel', finalWithChildren().message);
    if (inCircles.has(service) && isHungAnew(service)) refusals.refuse(service.row, 'parent', underItself().message);
  }
}

function checkPlace({ row, parent }: NamedService, { refuse, attempt, isRefused }: ImportRefusals): void {
  if (parent?.row && isRefused(parent.row)) refuse(row, 'parent', importSentences.parentRefused(parent.row.line));
  else
    attempt(row, 'parent', () => {
      levelUnder(parent && { level: parent.level, isFinalLevel: parent.fields.isFinalLevel });
    });
}

function becomesFinal(service: PlannedService): service is NamedService {
  return service.fields.isFinalLevel && service.current?.isFinalLevel === false;
}

/** The services whose way up comes back to them. Each is walked over once, however long a circle is and whatever hangs on it. */
function findCircles(services: readonly PlannedService[]): Set<PlannedService> {
  const seen = new Set<PlannedService>();
  const found = new Set<PlannedService>();
  for (const service of services) {
    const way: PlannedService[] = [];
    let at: PlannedService | null = service;
    for (; at && !seen.has(at); at = at.parent) {
      seen.add(at);
      way.push(at);
    }
    const from = at ? way.indexOf(at) : -1;
    if (from >= 0) for (const each of way.slice(from)) found.add(each);
  }
  return found;
}
