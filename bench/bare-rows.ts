// Rows as the statements of the real worker answer them; the bare worker reads the same.

export interface TaskRow {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly priority: number;
  readonly assignee_id: string | null;
  readonly assignee_name: string | null;
  readonly assignee_email: string | null;
  readonly project_id: number;
  readonly project_name: string;
  /** JSON. */
  readonly tags: string;
  readonly due: string;
  readonly archived: number;
}

interface ReferenceColumns {
  readonly category_id: number | null;
  readonly category_key: string | null;
  readonly category_value: string | null;
  readonly type_id: number | null;
  readonly type_key: string | null;
  readonly type_value: string | null;
}

export interface DetailRow extends TaskRow, ReferenceColumns {
  readonly description: string | null;
  readonly start_date: string | null;
  readonly scheduled_time: string | null;
  readonly estimated_hours: number | null;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly creator_email: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface FollowerRow {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
}

export interface CommentRow {
  readonly id: number;
  readonly content: string;
  readonly author_id: string;
  readonly author_name: string;
  readonly author_email: string;
  readonly created_at: number;
}

export interface DashboardTaskRow extends TaskRow, ReferenceColumns {
  readonly assignee_image: string | null;
  readonly status_label: string;
  readonly status_color: string;
}

export interface DashboardCommentRow extends CommentRow {
  readonly author_image: string | null;
  readonly task_id: number;
  readonly task_name: string;
  readonly project_id: number;
  readonly project_name: string;
}

/** Totals by their names; only these are shown under another. */
export interface TilesRow {
  readonly due_today: number;
  readonly due_this_week: number;
}

/** A person, and numbers by the name of their column. */
export interface WorkloadRow {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly active: number;
  readonly past: number;
  readonly past_hours: number;
}

/** What of a person's work lies in a span of days. */
export interface DayRow {
  readonly user_id: string;
  readonly due: number;
  readonly due_hours: number;
  readonly completed?: number;
  readonly completed_hours?: number;
}
