//! The views that lead to records and show them. They are fetched together: a user who opens one soon opens another,
//! and separate fetches would split their shared code into dozens of files.

export { access } from './access.ts';
export { callback } from './callback.ts';
export { chart } from './chart/view.ts';
export { ehrLaunch } from './ehr-launch.ts';
export { filesView } from './files/view.ts';
export { launch } from './launch/view.ts';
export { patients } from './patients.ts';
export { sessionView } from './session/view.ts';
export { sharedLink } from './shared-link.ts';
