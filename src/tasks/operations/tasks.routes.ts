import { defineRoute } from '../../kernel/http/route.ts';
import { listTasks } from './list-tasks.ts';
import { deleteRecurrence, getRecurrence, setRecurrence } from './recurrence.ts';
import { getReminders, setReminders } from './reminders.ts';
import { archiveTask, createTask, getTask, unarchiveTask, updateTask } from './tasks.ts';

const inQuery = ['descriptionFormat'];

export const taskRoutes = [
  defineRoute('GET', '/tasks', listTasks),
  defineRoute('GET', '/tasks/:id', getTask),
  defineRoute('POST', '/tasks', createTask, { status: 201, inQuery }),
  defineRoute('PATCH', '/tasks/:id', updateTask, { inQuery }),
  defineRoute('POST', '/tasks/:id/archive', archiveTask, { inQuery }),
  defineRoute('POST', '/tasks/:id/unarchive', unarchiveTask, { inQuery }),
  defineRoute('GET', '/tasks/:id/reminders', getReminders),
  defineRoute('PUT', '/tasks/:id/reminders', setReminders),
  defineRoute('GET', '/tasks/:id/recurrence', getRecurrence),
  defineRoute('PUT', '/tasks/:id/recurrence', setRecurrence),
  defineRoute('DELETE', '/tasks/:id/recurrence', deleteRecurrence),
];
