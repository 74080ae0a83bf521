import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import {
  deleteSavedFilter,
  getSavedFilter,
  listSavedFilters,
  renameSavedFilter,
  replaceSavedFilter,
  saveFilter,
} from '../../../tasks/saved-filters/saved-filters.ts';
import { toFormFields } from '../../../tasks/saved-filters/task-filter.ts';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { toFilterUrl } from './filter-url.ts';
import { SavedFiltersView } from './saved-filters.view.tsx';

export const savedFiltersParams = z.object({});
export const savedFiltersReads = { filters: listSavedFilters };

export const savedFiltersPage = definePage({
  name: 'savedFilters',
  path: '/filters',
  title: () => 'Saved filters',
  params: savedFiltersParams,
  reads: savedFiltersReads,
  inputs: () => ({ filters: {} }),
  view: SavedFiltersView,
});

/** A permanent URL that redirects to the filter's current query. */
export const savedFilterPage = definePage({
  name: 'savedFilter',
  path: '/filters/:filter',
  title: () => 'Saved filter',
  params: z.object({ filter: integerId }),
  reads: { saved: getSavedFilter },
  inputs: ({ filter }) => ({ saved: { id: filter } }),
  redirectTo: ({ saved }, base) => base + toFilterUrl(saved),
  view: () => null,
});

export const saveFilterForm = defineForm({
  name: 'newFilter',
  path: '/filters',
  operation: saveFilter,
  redirectTo: ({ id }, { back }) => setQueryParameter(back, 'filter', String(id)),
  flash: () => ({ text: 'Filter saved' }),
});
export const restoreFilterForm = defineForm({
  name: 'filterAgain',
  path: '/filters/again',
  operation: saveFilter,
});
export const replaceFilterForm = defineForm({
  name: 'replaceFilter',
  path: '/filters/:id/replace',
  operation: replaceSavedFilter,
  flash: () => ({ text: 'Filter updated' }),
});
export const renameFilterForm = defineForm({
  name: 'changeFilter',
  path: '/filters/:id',
  operation: renameSavedFilter,
});
export const deleteFilterForm = defineForm({
  name: 'removeFilter',
  path: '/filters/:id/delete',
  operation: deleteSavedFilter,
  removal: 'undone',
  flash: ({ output: { deleted } }) => {
    const text = 'Filter deleted';
    // Only the filter's creator can undo this, because a restored filter belongs to the person who restores it.
    if (deleted === null || deleted.maker !== null) return { text };
    const { name, isShared, filter } = deleted;
    const fields = { name, isShared: String(isShared), ...toFormFields(filter) };
    return { text, undo: { path: restoreFilterForm.path, fields } };
  },
});
