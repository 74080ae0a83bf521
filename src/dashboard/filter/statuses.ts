import { COMPLETED_STATUS } from '../../tasks/fields.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';

export const allStatusIndexes = [...taskStatuses.keys()];
export const openStatusIndexes = allStatusIndexes.filter((status) => status !== COMPLETED_STATUS);
