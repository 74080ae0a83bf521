export interface Member {
  readonly no: number;
  readonly userId: string;
}

export interface People {
  readonly owner: Member;
  readonly client: Member;
  readonly lead: Member;
  readonly member: Member;
  /** Ids of users. */
  readonly crowd: readonly string[];
}

/** Who lives in a seeded workspace, and what requests may ask it for. */
export interface World {
  readonly size: number;
  readonly workspaceId: string;
  /** The id of the first project; the others follow. */
  readonly projects: number;
  readonly people: People;
  readonly apiKey: string;
  /** Ids of tasks; three pools, so that one request does not change what another one costs. */
  readonly pools: Readonly<Record<'read' | 'change' | 'discuss', readonly number[]>>;
}
