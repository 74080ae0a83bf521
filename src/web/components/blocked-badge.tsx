interface BlockableTask {
  status: string;
  isBlocked?: boolean | undefined;
}

export function BlockedBadge({ task: { status, isBlocked } }: { task: BlockableTask }) {
  return isBlocked && status !== 'completed' ? <span class="badge off">Blocked</span> : null;
}
