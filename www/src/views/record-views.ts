//! The views that lead to records and show them. They are fetched together: whoever opens one soon opens another, and a
//! fetch for each would divide what they share into dozens of files.

export { access } from './access.ts';
export { callback } from './callback.ts';
export { chart } from './chart/view.ts';
export { ehrLaunch } from './ehr-launch.ts';
export { filesView } from './files/view.ts';
export { launch } from './launch/view.ts';
export { patients } from './patients.ts';
export { sessionView } from './session/view.ts';
