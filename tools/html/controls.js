/* SPDX-License-Identifier: GPL-2.0-only */
/* The controls of the page: they change the state, and show it. */

const CONTROLS = ['event', 'width', 'normalize', 'view', 'shape', 'order', 'group', 'palette', 'theme'];

/* Show or hide the rare controls of a narrow window. */
function showRare() {
	const isShown = document.documentElement.classList.toggle('has-rare');

	document.getElementById('more-button').setAttribute('aria-expanded', isShown);
}

class Controls {
	constructor(page) {
		this.page = page;
		this.data = page.data;
		this.control = document.getElementById('controls').elements;
		this.range = document.getElementById('range').elements;
		this.fill();
		this.listen();
		this.listenToRange();
	}

	fill() {
		for (const { title, word } of this.data.keys)
			this.control.group.add(new Option(title, word));
		if (this.data.isDiff)
			this.control.palette.options[0].text = 'red and blue';
		this.data.events.forEach((event, i) => {
			this.control.event.add(new Option(event.name, i));
		});
		fillMarks(this.data, this.range.mark);
		fillThreads(this.data, this.range.thread);
		if (!this.data.threadList.length)
			this.control.view.remove(3);
		this.range.axis.parentElement.hidden = !hasTimeOfDay(this.data);
		document.getElementById('input').textContent = this.data.input;
		document.documentElement.classList.toggle('diff', this.data.isDiff);
		document.title = this.data.input + ' - tprof-lx';
	}

	listen() {
		for (const key of CONTROLS)
			this.control[key].addEventListener('change', () => this.read(key));
		this.control.search.addEventListener('input', () =>
			this.page.set({ search: this.control.search.value }));
		document.getElementById('more-button').addEventListener('click', showRare);
		document.getElementById('controls').addEventListener('submit', (event) =>
			event.preventDefault());
	}

	listenToRange() {
		const { page, range } = this;

		for (const key of ['lanes', 'scale', 'axis', 'thread'])
			range[key].addEventListener('change', () => page.set({ [key]: range[key].value }));
		for (const key of ['from', 'to'])
			range[key].addEventListener('change', () => this.readRange());
		range.mark.addEventListener('change', () => this.readMark());
		range.whole.addEventListener('click', () => page.set({ from: DEFAULTS.from,
								       to: DEFAULTS.to }));
		document.getElementById('range').addEventListener('submit', (event) =>
			event.preventDefault());
	}

	/* Take the ends in seconds. The last step ends at the second end. */
	readRange() {
		const steps = (text) => Math.round(Number(text) * 1e9 / this.data.step);
		const { from, to } = this.range;
		const last = Math.max(steps(to.value) - 1, 0);

		this.page.set({ from: Math.max(steps(from.value), 0),
				to: to.value && last < this.data.lastStep ? last : DEFAULTS.to });
	}

	/* Choose the time from a mark to the next one. */
	readMark() {
		const { from, to } = this.data.marks[this.range.mark.value] || DEFAULTS;

		this.page.set({ from, to });
	}

	read(key) {
		const { page } = this;
		const value = this.control[key].value;

		if (key === 'view' && value === 'sandwich' && page.state.focus < 0)
			page.set({ view: value, zoom: '', focus: page.hottest() });
		else if (key === 'event')
			page.set({ event: Number(value), zoom: '' });
		else if (key === 'view' || key === 'group' || key === 'width')
			page.set({ [key]: value, zoom: '' });
		else
			page.set({ [key]: value });
	}

	show(state) {
		for (const key of [...CONTROLS, 'search']) {
			if (this.control[key].value !== String(state[key]))
				this.control[key].value = state[key];
		}
		this.control.group.disabled = state.view !== 'callees';
		this.control.shape.disabled = state.view === 'sandwich';
		this.control.order.disabled = state.view === 'time';
		this.range.lanes.value = state.lanes;
		this.range.scale.value = state.scale;
		this.range.axis.value = state.axis;
		this.range.thread.value = state.thread;
		this.range.lanes.disabled = state.scale === 'heat';
		this.showRange(state);
	}

	showRange(state) {
		const { data, range } = this;
		const from = Math.min(state.from, data.lastStep);
		const end = Math.min(state.to, data.lastStep) + 1;

		range.mark.value = chosenMark(data, state);
		range.from.value = secondsOf(data, from).toFixed(6);
		range.to.value = secondsOf(data, end).toFixed(6);
		document.getElementById('times').textContent =
			data.isDiff ? '' : `--time ${timeText(data, from)},${timeText(data, end)}`;
	}

	focusSearch() {
		this.control.search.focus();
	}

	markSearch(isWrong) {
		this.control.search.setAttribute('aria-invalid', isWrong);
	}
}
