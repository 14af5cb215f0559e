import type {Invite} from '../../domain/invite.ts';
import type {Trace} from '../../domain/trace.ts';
import {acceptForm, declineForm} from '../forms/invite.ts';
import type {Form} from '../store/form.ts';
import {subjectOf} from '../store/selectors.ts';
import type {HandleContext} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {programTerminal} from './sessions.ts';

/** Opens a dialog about the selected invite, if there is one. */
const aboutInvite =
	(make: (context: HandleContext, trace: Trace, invite: Invite) => Form) =>
	(context: HandleContext): void => {
		const {trace, invite} = subjectOf(context.store.getState());
		if (trace && invite) openForm(context, make(context, trace, invite));
	};

export const accept = aboutInvite((context, trace, invite) =>
	acceptForm(opening(context), trace, invite, programTerminal(context)),
);

export const decline = aboutInvite((context, trace, invite) => declineForm(opening(context), trace, invite));
