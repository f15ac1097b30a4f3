import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { leaveClosedDialogs } from './router.tsx';
import './styles.css';

leaveClosedDialogs();

// A browser that is too old (web/shell/able.ts) has no such element: React throws, and the document says what is needed.
createRoot(document.querySelector('[data-able] #root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
