import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import { fold } from './fold.ts';
import { makeSearch, pathsOf } from './search-services.ts';
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
const found = (typed: string) => makeSearch(catalogue)(typed).map((path) => path.at(-1)?.name);

test.each([
  ['electricite', ['Électricité']],
  ['ÉLECTRICITÉ', ['Électricité']],
  ["transfert d'argent", ['Transfert d’argent', 'Orange Money']],
  ['  telecom   burkina ', ['Burkina Faso', 'Orange', 'Crédit Orange', 'Forfait internet']],
  ['orange burkina', ['Orange', 'Crédit Orange', 'Forfait internet']],
  ['nulle part', []],
  ['', []],
  ['   ', []],
])('%j finds %j', (typed, names) => {
  expect(found(typed)).toEqual(names);
});

test('names that begin with it, then names that hold it, then what stands below', () => {
  expect(found('orange')).toEqual(['Orange Money', 'Orange', 'Crédit Orange', 'Forfait internet']);
});

test('a hit comes with its whole path', () => {
  const [path] = makeSearch(catalogue)('forfait');
  expect(path?.map(({ id }) => id)).toEqual([2, 5, 7, 9]);
});

test('what stands under something that is not there has no path', () => {
  expect(pathsOf([service(1, 'Racine', null), service(3, 'Perdu', 2)]).map((path) => path.length)).toEqual([1]);
});

describe('whatever the catalogue and the words', () => {
  const name = fc.stringMatching(/^[a-zéèêàçA-Z ’]{1,12}$/);
  const trees = fc
    .array(fc.tuple(name, fc.nat()), { minLength: 1, maxLength: 30 })
    .map((list) => list.map(([each, place], index) => service(index + 1, each, place % (index + 1) || null)));

  test('each hit holds every word, none is missed, none comes twice', () => {
    fc.assert(
      fc.property(
        trees,
        fc.array(fc.stringMatching(/^[a-zéA-Z]{1,3}$/), { minLength: 1, maxLength: 3 }),
        (tree, words) => {
          const hits = makeSearch(tree)(words.join(' ')).map((path) => path.at(-1)?.id);
          const holds = pathsOf(tree).filter((path) => {
            const whole = fold(path.map((each) => each.name).join('\n'));
            return words.every((word) => whole.includes(fold(word)));
          });
          expect(hits.toSorted()).toEqual(holds.map((path) => path.at(-1)?.id).toSorted());
        },
      ),
    );
  });

  test('a name typed as it stands, or without its accents and capitals, finds its service', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, place) => {
        const wanted = tree[place % tree.length] as Service;
        fc.pre(wanted.name.trim() !== '');
        const search = makeSearch(tree);
        for (const typed of [wanted.name, fold(wanted.name), wanted.name.toUpperCase()])
          expect(search(typed).map((path) => path.at(-1)?.id)).toContain(wanted.id);
      }),
    );
  });

  test('another word never finds more', () => {
    fc.assert(
      fc.property(trees, fc.stringMatching(/^[a-z]{1,3}$/), fc.stringMatching(/^[a-z]{1,3}$/), (tree, word, other) => {
        const search = makeSearch(tree);
        const wide = new Set(search(word).map((path) => path.at(-1)?.id));
        for (const path of search(`${word} ${other}`)) expect(wide).toContain(path.at(-1)?.id);
      }),
    );
  });
});
