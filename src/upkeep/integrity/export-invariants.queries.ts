import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { exportEntries, exportParts, exports } from '../../schema/cell/exports.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const m = aliasTable(members, 'm');
const n = aliasTable(exportEntries, 'n');
const p = aliasTable(exportParts, 'p');
const x = aliasTable(exports, 'x');

export const exportInvariants: readonly Invariant[] = [
  {
    name: 'every export belongs to a member of its workspace, and its files and parts belong to an export',
    offenders: createOffenderQuery(sql`
      SELECT 'export ' || ${x.id} || ' belongs to no member of its workspace' AS offender FROM ${x}
      WHERE NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${x.member} AND ${m.ws} = ${x.ws})
      UNION ALL
      SELECT 'file ' || ${n.no} || ' of export ' || ${n.export} || ' belongs to no export' FROM ${n}
      WHERE NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.id} = ${n.export} AND ${x.ws} = ${n.ws})
      UNION ALL
      SELECT 'part ' || ${p.no} || ' of export ' || ${p.export} || ' belongs to no export' FROM ${p}
      WHERE NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.id} = ${p.export} AND ${x.ws} = ${p.ws})`),
  },
];
