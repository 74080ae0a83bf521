import { createContext, useContext } from 'hono/jsx';
import type { RejectedForm, Visit } from '../page-model/page.ts';

const VisitContext = createContext<Visit | null>(null);
const FormContext = createContext<RejectedForm | null>(null);

export const VisitProvider = VisitContext.Provider;
export const FormProvider = FormContext.Provider;

/** Returns null on pages outside a workspace, such as those of public links. */
export function useOptionalVisit(): Visit | null {
  return useContext(VisitContext);
}

export function useVisit(): Visit {
  const visit = useOptionalVisit();
  if (!visit) throw new Error('useVisit must be used inside a workspace page');
  return visit;
}

export function useRejectedForm(): RejectedForm | null {
  return useContext(FormContext);
}
