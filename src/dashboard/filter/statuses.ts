import { taskStatuses } from '../../tasks/model/tasks.schema.ts';

const COMPLETED = taskStatuses.indexOf('completed');

export const everyStatus = [...taskStatuses.keys()];
export const openStatuses = everyStatus.filter((status) => status !== COMPLETED);
