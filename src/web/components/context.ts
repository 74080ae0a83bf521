import { createContext, useContext } from 'hono/jsx';
import type { Refused, Visit } from '../page-model/page.ts';

const VisitContext = createContext<Visit | null>(null);
const FormContext = createContext<Refused | null>(null);

export const VisitProvider = VisitContext.Provider;
export const FormProvider = FormContext.Provider;

/** Who visits which page. Only views of a workspace may ask. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('This component was shown outside of a page of a workspace');
  return visit;
}

/** What was wrong with the form around; null if it is shown for the first time. */
export function useRefused(): Refused | null {
  return useContext(FormContext);
}
