import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** Keeps the panel standing when a tab cannot be loaded: no network, or a version that is no longer on the server. */
export class TabBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState picture="⚠️" title="Cet onglet n’a pas pu être chargé.">
        <Button variant="plain" onClick={() => location.reload()}>
          Réessayer
        </Button>
      </EmptyState>
    );
  }
}
