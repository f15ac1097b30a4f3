import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface Props {
  /** Where it stands: at another address what is in it is drawn again. */
  at: string;
  title: string;
  children: ReactNode;
}

/** Contains a failure to draw its children and offers another try, in place of a blank page. */
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

/** What stands in place of something that did not come, or could not be drawn. */
export function Failed({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <EmptyState failed Icon={WarningIcon} title={title}>
      <Button variant="plain" onClick={onRetry}>
        Réessayer
      </Button>
    </EmptyState>
  );
}
