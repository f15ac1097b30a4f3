import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface Props {
  /** The address: a new one renders the children again. */
  at: string;
  title: string;
  children: ReactNode;
}

/** Contains a rendering error of its children and offers another try. */
export class Boundary extends Component<Props, { at: string; failed: boolean }> {
  override state = { at: this.props.at, failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ at }: Props, state: { at: string }) {
    return at === state.at ? null : { at, failed: false };
  }

  override render() {
    return this.state.failed ? (
      <Failed title={this.props.title} onRetry={() => location.reload()} />
    ) : (
      this.props.children
    );
  }
}

/** The message for content that failed to load or render. */
export function Failed({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <EmptyState failed Icon={WarningIcon} title={title}>
      <Button variant="plain" onClick={onRetry}>
        Réessayer
      </Button>
    </EmptyState>
  );
}
