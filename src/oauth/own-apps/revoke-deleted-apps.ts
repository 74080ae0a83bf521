import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import {
  deleteAppUser,
  deleteRevokedApp,
  findDeletedApp,
  listDeletedAppUsers,
  revokeAppTokens,
} from './own-apps.queries.ts';

const PEOPLE_PER_SLICE = 20;
/**
 * The number of statements: three that find the app, find its users and delete the app, and three per user that revoke
 * access.
 */
const REVOKE_SLICE_COST = 3 + 3 * PEOPLE_PER_SLICE;
const SLICES_MAX = 10;

export const revokeDeletedApps: DirectoryJob = {
  name: 'apps.revoke',
  cost: REVOKE_SLICE_COST,
  async run(scope, allowance) {
    for (
      let slices = countAffordableUnits(allowance, REVOKE_SLICE_COST, SLICES_MAX);
      slices > 0;
      slices -= 1
    ) {
      const [app] = await scope.directory.batch([findDeletedApp()]);
      if (!app) return false;
      const [people] = await scope.directory.batch([listDeletedAppUsers(app.id, PEOPLE_PER_SLICE)]);
      for (const [cell, inCell] of Map.groupBy(people, (person) => person.cell)) {
        await scope.cell(cell).batch(inCell.flatMap((person) => revokeAppTokens(app.id, person, scope.now)));
      }
      await scope.directory.batch([
        ...people.map((person) => deleteAppUser(app.id, person)),
        deleteRevokedApp(app.id),
      ]);
    }
    return true;
  },
};
