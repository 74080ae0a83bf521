interface BlockableTask {
  status: string;
  isBlocked?: boolean | undefined;
}

/** A completed task needs no warning. */
export function BlockedMark({ task: { status, isBlocked } }: { task: BlockableTask }) {
  return isBlocked && status !== 'completed' ? <span class="badge off">Blocked</span> : null;
}
