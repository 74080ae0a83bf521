import { taskStatuses } from '../../tasks/model/tasks.schema.ts';

const COMPLETED_INDEX = taskStatuses.indexOf('completed');

export const allStatusIndexes = [...taskStatuses.keys()];
export const openStatusIndexes = allStatusIndexes.filter((status) => status !== COMPLETED_INDEX);
