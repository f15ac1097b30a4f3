import { expect, test } from 'vitest';
import { failureCatalogue } from '#contract/failure.ts';
import { maximumImageBytes } from '#contract/uploads.ts';
import { imageProblem } from './image-field.tsx';

test.each(['image/jpeg', 'image/jpg', 'image/png', 'image/webp', ''])('%j of the largest size may be sent', (type) => {
  expect(imageProblem({ type, size: maximumImageBytes })).toBeUndefined();
});

test.each(['image/gif', 'image/svg+xml', 'application/pdf', 'text/html', 'image/png '])(
  '%j is refused in the words of the server, however small',
  (type) => {
    const [, description] = failureCatalogue.IMAGE_TYPE;
    expect(imageProblem({ type, size: 1 })).toEqual({ title: 'Type de fichier invalide', description });
  },
);

test('a byte too many is refused in the words of the server', () => {
  const [, description] = failureCatalogue.FILE_TOO_LARGE;
  const problem = imageProblem({ type: 'image/png', size: maximumImageBytes + 1 });
  expect(problem).toEqual({ title: 'Fichier trop volumineux', description });
});
