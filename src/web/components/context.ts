import { createContext, useContext } from 'hono/jsx';
import type { Refused, Visit } from '../page-model/page.ts';

const VisitContext = createContext<Visit | null>(null);
const FormContext = createContext<Refused | null>(null);

export const VisitProvider = VisitContext.Provider;
export const FormProvider = FormContext.Provider;

/** Only works in views of a workspace. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('This component needs a page of a workspace');
  return visit;
}

export function useRefused(): Refused | null {
  return useContext(FormContext);
}
