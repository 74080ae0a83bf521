import { findPlacesByEmail, type JoinedPlace, listCellsOf, type Place } from './directory.queries.ts';
import { type Ground, provisionFirstWorkspace, refillFirstWorkspace } from './provision.ts';
import { countWorkspace, findSeat, type Person, type Seat } from './workspaces.queries.ts';

/** A member of a workspace and the cell that it lives in. */
export type SeatInCell = Seat & { readonly cell: number };

/** Statement for the batch that looks the account up: the workspaces of whoever has this address. */
export const findPlacesOfEmail = findPlacesByEmail;

/**
 * The workspace that a login opens: the earliest joined one that still has the person. Where a verification broke off
 * before the cell was written, it is written now. Null where every workspace has let the person go.
 */
export async function openHome(
  ground: Ground,
  person: Person,
  places: readonly JoinedPlace[],
): Promise<SeatInCell | null> {
  for (const place of places.filter(({ endedAt }) => endedAt === null)) {
    const [seat, exists] = await ground
      .cell(place.cell)
      .batch([findSeat(place.workspaceId, person.id), countWorkspace(place.workspaceId)]);
    if (seat) return { ...seat, cell: place.cell };
    if (exists === 0) return repair(ground, person, place);
  }
  if (places.length > 0) return null;
  return takeSeat(ground, person, await provisionFirstWorkspace(ground, person));
}

async function repair(ground: Ground, person: Person, place: Place): Promise<SeatInCell | null> {
  const [cells] = await ground.directory.batch([listCellsOf(person.id)]);
  await refillFirstWorkspace(
    ground,
    person,
    place,
    cells.map(({ cell }) => cell),
  );
  return takeSeat(ground, person, place);
}

async function takeSeat(ground: Ground, person: Person, place: Place): Promise<SeatInCell | null> {
  const [seat] = await ground.cell(place.cell).batch([findSeat(place.workspaceId, person.id)]);
  return seat ? { ...seat, cell: place.cell } : null;
}
