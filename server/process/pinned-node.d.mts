export function pinnedNode(): string;
export function runsOnPinnedNode(file: string): boolean;
