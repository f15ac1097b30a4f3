import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useAuth } from './auth.tsx';

/** A component outside the provider. */
const Reader = () => useAuth().user?.firstName;

test('reading the auth context outside its provider is an error that says so', () => {
  expect(() => renderToString(createElement(Reader))).toThrow('useAuth must be used within an AuthProvider');
});
