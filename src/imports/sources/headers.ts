import type { ImportField } from './source.ts';

const HEADER_CHARACTERS_MAX = 200;

/**
 * Lowercases the text, and removes accents, spaces and punctuation other than `#`. Returns an empty key for text that
 * is too long to be a name.
 */
export function toHeaderKey(text: string): string {
  if (text.length > HEADER_CHARACTERS_MAX) return '';
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}#]/gu, '');
}

/** Fields without headers here are never detected automatically. */
const headers: Readonly<Partial<Record<ImportField, string>>> = {
  id: 'id key issuekey issueid taskid cardid number nr identifier gid vorgangsschlussel vorgangsid clefduticket cledeticket clavedeincidencia chiave kluczzgloszenia identyfikator',
  name: 'name task title summary taskname cardname content subject zusammenfassung aufgabe titel resume titre tache resumen titulo tarea riepilogo titolo attivita podsumowanie zadanie nazwa tytul samenvatting taak',
  description:
    'description notes body details note beschreibung notizen descripcion notas descrizione opis beschrijving',
  status:
    'status state list listname section sectioncolumn column bucket spalte liste etat statut estado lista stato kolumna stan',
  priority: 'priority prioritat priorite prioridad priorita priorytet prioriteit',
  assignee:
    'assignee assignees allassignees assigneeemail assignedto members owner responsible bearbeiter zugewiesenan zustandig responsable attribuea asignadoa asignado assegnatario przypisany przypisanydo toegewezenaan',
  tags: 'tags labels label tag schlagworter stichworter etichette etiquettes etiquetas etykiety',
  startDate: 'startdate start startdatum datededebut fechadeinicio datainizio datarozpoczecia',
  deadline:
    'duedate due deadline targetdate enddate dueon faelligkeitsdatum falligkeitsdatum fallig falligam echeance datedecheance fechadevencimiento vencimiento scadenza datadiscadenza termin terminwykonania',
  dueTime: 'duetime',
  estimate: 'estimate estimateh estimatedhours estimatehours',
  parent: 'parent parenttask parentid parentissue parentkey ubergeordneteraufgabe parentsummary epiclink',
  createdAt:
    'created createdat createddate createdon creationdate datecreated erstellt erstellungsdatum cree creation datedecreation creada creado fechadecreacion creato datacreazione utworzono datautworzenia aangemaakt',
  completedAt:
    'completed completedat completedon completeddate dateclosed closedat resolved done erledigtam resolutiondate termine completado completato',
};

const fieldsByHeader = new Map(
  Object.entries(headers).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as ImportField] as const),
  ),
);

export function findHeaderField(header: string): ImportField | null {
  return fieldsByHeader.get(toHeaderKey(header)) ?? null;
}
