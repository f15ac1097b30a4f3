import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '#contract/fold.ts';
import { groupByCountry, makeSearch } from './search-services.ts';
import { pathsOf } from './service-paths.ts';
import { makeService } from './test-service.ts';

const service = (id: number, name: string, parentId: number | null) => makeService({ id, name, parentId });

const catalogue = [
  service(1, 'Transfert d’argent', null),
  service(2, 'Télécom et mobile', null),
  service(3, 'Factures', null),
  service(4, 'Orange Money', 1),
  service(5, 'Burkina Faso', 2),
  service(6, 'Électricité', 3),
  service(7, 'Orange', 5),
  service(8, 'Crédit Orange', 5),
  service(9, 'Forfait internet', 7),
];
const namesOf = (typed: string) => makeSearch(catalogue)(typed).paths.map((path) => path.at(-1)?.name);
const found = (typed: string) => {
  expect(makeSearch(catalogue)(typed).isNear).toBe(false);
  return namesOf(typed);
};

test.each([
  ['electricite', ['Électricité']],
  ["transfert d'argent", ['Transfert d’argent', 'Orange Money']],
  ['  telecom   burkina ', ['Burkina Faso', 'Orange', 'Crédit Orange', 'Forfait internet']],
  ['orange burkina', ['Orange', 'Crédit Orange', 'Forfait internet']],
  ['', []],
])('%j finds %j', (typed, names) => {
  expect(found(typed)).toEqual(names);
});

test.each([
  ['transfert d’argent', 10],
  ['transfert\u00a0d´argent', 10],
  ['bobo-dioulasso', 11],
  ['bobo\u2011dioulasso', 11],
  ['Ｏｒａｎｇｅ  money', 12],
  ['argent dioulasso', 11],
  ['cote ivoire', 13],
  ['co\u0302te d′ivoire\u200b', 13],
])('%j is found in any spelling', (typed, id) => {
  const search = makeSearch([
    service(10, "Transfert d'argent", null),
    service(11, 'Bobo–Dioulasso', 10),
    service(12, 'Orange\u00a0Money', 11),
    service(13, 'Côte d’Ivoire', null),
  ])(typed);
  expect({ ...search, paths: search.paths.map((path) => path.at(-1)?.id) }).toMatchObject({ isNear: false });
  expect(search.paths[0]?.at(-1)?.id).toBe(id);
});

test.each([
  ['transfert orange vers moov', ['Orange Money']],
  ['eletricite', ['Électricité']],
  ['electrictié', ['Électricité']],
  ['oragne bukrina', ['Orange', 'Crédit Orange', 'Forfait internet']],
  ['facture pizza', ['Factures', 'Électricité']],
  ['pizza', []],
  ['mob1', ['Télécom et mobile', 'Burkina Faso', 'Orange', 'Crédit Orange', 'Forfait internet']],
  ['xob', []],
  ['pour une', []],
])('when no service has every word (P6.12): %j finds the nearest, %j', (typed, names) => {
  expect(makeSearch(catalogue)(typed).isNear).toBe(true);
  expect(namesOf(typed)).toEqual(names);
});

test.each([
  ['recharge', ['Crédit Orange']],
  ['unités orange', ['Crédit Orange']],
  ['unit', ['Crédit Orange']],
  ['courant', ['Électricité']],
  ['data', ['Forfait internet']],
  ['wave', ['Transfert d’argent', 'Orange Money']],
  // What is named so comes first.
  ['argent', ['Transfert d’argent', 'Orange Money']],
])('%j, which no service is called, finds %j', (typed, names) => {
  expect(found(typed)).toEqual(names);
});

test('names that begin with it, then names that hold it, then what stands below', () => {
  expect(found('orange')).toEqual(['Orange Money', 'Orange', 'Crédit Orange', 'Forfait internet']);
});

test("paths are grouped by country: one's own, then those of none, then the others as they come", () => {
  const paths = pathsOf([
    service(1, 'Mali', null),
    service(2, 'Forfait', 1),
    service(3, 'Wave', null),
    service(4, "Cote d'Ivoire", null),
    service(5, 'Forfait', 4),
  ]);
  const grouped = groupByCountry(paths, "Côte d'Ivoire").map((group) => [
    group.country,
    group.paths.map((path) => path.at(-1)?.id),
  ]);
  expect(grouped).toEqual([
    ["Côte d'Ivoire", [4, 5]],
    ['', [3]],
    ['Mali', [1, 2]],
  ]);
});

test('a service is of the country with which its description begins', () => {
  const [onea, senelec] = [
    makeService({ id: 1, name: 'ONEA', description: 'Burkina Faso' }),
    makeService({ id: 2, name: 'Senelec', description: 'Sénégal, Woyofal et factures' }),
  ];
  const grouped = groupByCountry([[senelec], [onea]], 'Burkina Faso');
  expect(grouped.map(({ country }) => country)).toEqual(['Burkina Faso', 'Sénégal']);
});

describe('whatever the catalogue and the words', () => {
  const name = fc.stringMatching(/^[a-zéèêàçA-Z ']{1,12}$/);
  const trees = fc
    .array(fc.tuple(name, fc.nat()), { minLength: 1, maxLength: 30 })
    .map((list) => list.map(([each, place], index) => service(index + 1, each, place % (index + 1) || null)));

  test('if any service holds every word, each hit does, none is missed, none comes twice', () => {
    fc.assert(
      fc.property(
        trees,
        fc.array(fc.stringMatching(/^[a-zéA-Z]{1,3}$/), { minLength: 1, maxLength: 3 }),
        (tree, words) => {
          const { paths, isNear } = makeSearch(tree)(words.join(' '));
          const hits = isNear ? [] : paths.map((path) => path.at(-1)?.id);
          const holds = pathsOf(tree).filter((path) => {
            const whole = fold(path.map((each) => each.name).join('\n'));
            return words.every((word) => whole.includes(fold(word)));
          });
          expect(hits.toSorted()).toEqual(holds.map((path) => path.at(-1)?.id).toSorted());
        },
      ),
    );
  });

  test('a name with one wrong letter finds its service', () => {
    const word = fc.stringMatching(/^[a-z]{5,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('drop', 'double', 'change'), (name, place, fault) => {
        const at = place % name.length;
        const middle = { drop: '', double: `${name[at]}${name[at]}`, change: 'é' }[fault];
        const typed = name.slice(0, at) + middle + name.slice(at + 1);
        const { paths } = makeSearch([service(1, name, null)])(typed);
        expect(paths.map(([{ id }]) => id)).toEqual([1]);
      }),
    );
  });
});
