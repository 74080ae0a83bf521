declare module 'sortablejs/modular/sortable.core.esm.js' {
  export { default } from 'sortablejs';
}
