import { createContext, useContext } from 'hono/jsx';
import type { RejectedForm, Visit } from '../page-model/page.ts';

const VisitContext = createContext<Visit | null>(null);
const FormContext = createContext<RejectedForm | null>(null);

export const VisitProvider = VisitContext.Provider;
export const FormProvider = FormContext.Provider;

export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('useVisit must be used inside a workspace page');
  return visit;
}

export function useRejectedForm(): RejectedForm | null {
  return useContext(FormContext);
}
