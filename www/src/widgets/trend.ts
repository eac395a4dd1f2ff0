//! The widget of the tool `trend`.

import { trendView } from './trend-view.ts';
import { start } from './widget.ts';

start('trend', { trend: trendView });
