//! One plan on one device: its allocations and bind groups, and the commands of a frame.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use isobit::execution::{BufferFault, ExecutionError, Readback};
use isobit::frame::Input;
use isobit::plan::{Dispatch, Plan, Role, Step, grid};

use crate::executor::Bench;
use crate::inspect::{Images, faults};
use crate::layout::{Layout, Place, SENTINEL, Slice, grid_entries, slices};
use crate::memory::{Run, periods};
use crate::pipeline::Pipeline;

/// A plan with all that a frame needs, made once for all frames.
pub(crate) struct Session<'a> {
    plan: &'a Plan,
    layout: &'a Layout,
    buffers: BTreeMap<&'a str, wgpu::Buffer>,
    /// Stored last words of inputs that end within one, padded for each run.
    tails: Option<wgpu::Buffer>,
    grid: Option<(wgpu::Buffer, wgpu::BindGroup)>,
    /// One entry a dispatch, in the order of the plan.
    launches: Vec<Launch>,
    readback: wgpu::Buffer,
}

struct Launch {
    pipeline: Rc<Pipeline>,
    group: wgpu::BindGroup,
    grid: bool,
    slices: Vec<Slice>,
}

impl<'a> Session<'a> {
    /// Allocates, uploads what is fixed, and binds. `pipelines` has one entry a dispatch, and whether it reads the grid.
    pub(crate) fn new(
        bench: &mut Bench,
        plan: &'a Plan,
        layout: &'a Layout,
        pipelines: &[(Rc<Pipeline>, bool)],
    ) -> Result<Self, ExecutionError> {
        let mut buffers = BTreeMap::new();
        for (name, buffer) in &plan.buffers {
            let allocation = match &buffer.role {
                Role::Uniform { words } => {
                    let allocation = bench.uniforms.take(buffer.bytes);
                    bench.gpu.queue.write_buffer(&allocation, 0, &bytes_of(words));
                    allocation
                }
                role => {
                    let extent = layout.places[name].extent;
                    let allocation = bench.storage.take(extent.total());
                    if let Role::Constant { words } = role {
                        bench
                            .gpu
                            .queue
                            .write_buffer(&allocation, extent.start, &bytes_of(words));
                    }
                    allocation
                }
            };
            buffers.insert(name.as_str(), allocation);
        }
        let ragged = ragged(plan).count() as u64;
        let tails = (ragged > 0).then(|| bench.storage.take(ragged * 8));
        let readback = bench.readbacks.take(layout.readback());

        let mut entries = Vec::new();
        let mut launches = Vec::new();
        let dispatches = plan.steps.iter().filter_map(|step| match step {
            Step::Dispatch(dispatch) => Some(dispatch),
            Step::Clear { .. } => None,
        });
        for (dispatch, &(ref pipeline, grid)) in dispatches.zip(pipelines) {
            let most = if grid { bench.most_groups } else { u32::MAX };
            let slices = slices(dispatch.workgroups, most, entries.len() as u64);
            if grid {
                entries.extend(grid_entries(&slices, dispatch.workgroups));
            }
            launches.push(Launch {
                pipeline: Rc::clone(pipeline),
                group: bind(&bench.gpu.device, dispatch, plan, layout, &buffers, &pipeline.buffers),
                grid,
                slices,
            });
        }
        let grid = (!entries.is_empty()).then(|| {
            let buffer = bench.uniforms.take(entries.len() as u64);
            bench.gpu.queue.write_buffer(&buffer, 0, &entries);
            let binding = wgpu::BufferBinding {
                buffer: &buffer,
                offset: 0,
                size: wgpu::BufferSize::new(grid::BYTES),
            };
            let group = bench.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("grid"),
                layout: &bench.pipelines.grid,
                entries: &[wgpu::BindGroupEntry {
                    binding: grid::BINDING,
                    resource: wgpu::BindingResource::Buffer(binding),
                }],
            });
            (buffer, group)
        });
        bench.gpu.check()?;
        Ok(Self {
            plan,
            layout,
            buffers,
            tails,
            grid,
            launches,
            readback,
        })
    }

    /// Runs one frame twice and returns what the first run left, and the faults that the two together show.
    pub(crate) fn frame(
        &mut self,
        bench: &mut Bench,
        input: &Input,
        frame: usize,
        limit: Duration,
    ) -> Result<(Readback, Vec<BufferFault>), ExecutionError> {
        self.upload(bench, input, frame);
        bench.nonces += 1;
        let nonce = sentinel(bench.nonces);
        bench.gpu.queue.write_buffer(&bench.nonce, 0, &nonce);

        let mut encoder = bench
            .gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        for (run, base) in Run::BOTH.into_iter().zip([0, self.layout.run_bytes]) {
            self.poison(bench, &mut encoder, run);
            self.steps(&mut encoder, run);
            for (name, place) in &self.layout.places {
                let buffer = &self.buffers[name.as_str()];
                for (range, at) in &place.copies {
                    let bytes = range.end - range.start;
                    encoder.copy_buffer_to_buffer(buffer, range.start, &self.readback, base + at, bytes);
                }
            }
        }
        let end = self.layout.run_bytes * 2;
        encoder.copy_buffer_to_buffer(&bench.nonce, 0, &self.readback, end, SENTINEL);
        let submission = bench.gpu.queue.submit([encoder.finish()]);
        bench.gpu.check()?;

        let view = bench
            .gpu
            .map(&self.readback, self.layout.readback(), submission, limit)?;
        let result = self.inspect(&view, frame, nonce);
        drop(view);
        self.readback.unmap();
        result
    }

    /// Returns the allocations to where they came from.
    pub(crate) fn end(self, bench: &mut Bench) {
        for (name, buffer) in self.buffers {
            match self.plan.buffers[name].role {
                Role::Uniform { .. } => bench.uniforms.give(buffer),
                _ => bench.storage.give(buffer),
            }
        }
        if let Some(tails) = self.tails {
            bench.storage.give(tails);
        }
        if let Some((buffer, _)) = self.grid {
            bench.uniforms.give(buffer);
        }
        bench.readbacks.give(self.readback);
    }

    /// Writes the planes of a frame. The word in which a plane ends is written by each run for itself, since its padding is
    /// poison.
    pub(crate) fn upload(&self, bench: &Bench, input: &Input, frame: usize) {
        let queue = &bench.gpu.queue;
        for (name, buffer) in &self.plan.buffers {
            if let Role::Input { clip, plane, back } = buffer.role {
                let whole = whole_words(input.plane(clip, frame.saturating_sub(back), plane).bytes()).0;
                if !whole.is_empty() {
                    queue.write_buffer(
                        &self.buffers[name.as_str()],
                        self.layout.places[name].extent.start,
                        whole,
                    );
                }
            }
        }
        if let Some(tails) = &self.tails {
            let tail = |(name, clip, plane, back): (&str, usize, usize, usize)| {
                let rest = whole_words(input.plane(clip, frame.saturating_sub(back), plane).bytes()).1;
                let extent = self.layout.places[name].extent;
                Run::BOTH.map(|run| {
                    let poison = run.poison_from(extent.start + extent.bytes);
                    let mut word = rest.to_vec();
                    word.extend(poison.take(4 - rest.len()));
                    word
                })
            };
            let words: Vec<u8> = ragged(self.plan).flat_map(tail).flatten().collect();
            queue.write_buffer(tails, 0, &words);
        }
    }

    /// Fills all that the plan has not been given with the poison of `run`.
    fn poison(&self, bench: &Bench, encoder: &mut wgpu::CommandEncoder, run: Run) {
        let source = &bench.poison[run as usize];
        let mut fill = |name: &str, start: u64, end: u64| {
            for (offset, at, bytes) in periods(start, end) {
                encoder.copy_buffer_to_buffer(source, offset, &self.buffers[name], at, bytes);
            }
        };
        for (name, buffer) in &self.plan.buffers {
            let extent = self.layout.places[name].extent;
            match buffer.role {
                Role::Uniform { .. } => {}
                Role::Input { .. } | Role::Constant { .. } | Role::Handed => {
                    fill(name, 0, extent.start);
                    fill(name, extent.end(), extent.total());
                }
                Role::Scratch | Role::Output => fill(name, 0, extent.total()),
            }
        }
        if let Some(tails) = &self.tails {
            for (index, (name, ..)) in (0..).zip(ragged(self.plan)) {
                let from = index * 8 + run as u64 * 4;
                let to = self.layout.places[name].extent.end() - 4;
                encoder.copy_buffer_to_buffer(tails, from, &self.buffers[name], to, 4);
            }
        }
    }

    /// The steps of the plan alone, on whatever the memory holds.
    pub(crate) fn work(&self, encoder: &mut wgpu::CommandEncoder) {
        self.steps(encoder, Run::First);
    }

    /// Copies the first `bytes` of buffer `name`, a whole number of words, to `at` in `target`.
    pub(crate) fn copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        name: &str,
        bytes: u64,
        target: &wgpu::Buffer,
        at: u64,
    ) {
        let start = self.layout.places[name].extent.start;
        encoder.copy_buffer_to_buffer(&self.buffers[name], start, target, at, bytes);
    }

    /// Step `index` of the plan alone, on whatever the memory holds.
    pub(crate) fn step(&self, encoder: &mut wgpu::CommandEncoder, index: usize) {
        match &self.plan.steps[index] {
            Step::Clear { buffer } => self.clear(encoder, buffer),
            Step::Dispatch(_) => {
                let dispatch = |step: &&Step| matches!(step, Step::Dispatch(_));
                let before = self.plan.steps[..index].iter().filter(dispatch).count();
                let pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                self.launch(&mut pass.forget_lifetime(), &self.launches[before], Run::First);
            }
        }
    }

    fn clear(&self, encoder: &mut wgpu::CommandEncoder, buffer: &str) {
        let extent = self.layout.places[buffer].extent;
        encoder.clear_buffer(&self.buffers[buffer], extent.start, Some(extent.bytes));
    }

    fn steps(&self, encoder: &mut wgpu::CommandEncoder, run: Run) {
        let mut launches = self.launches.iter();
        let mut pass: Option<wgpu::ComputePass<'static>> = None;
        for step in &self.plan.steps {
            match step {
                Step::Clear { buffer } => {
                    // A pass holds the encoder until it is dropped.
                    pass = None;
                    self.clear(encoder, buffer);
                }
                Step::Dispatch(_) => {
                    let pass = pass.get_or_insert_with(|| {
                        encoder
                            .begin_compute_pass(&wgpu::ComputePassDescriptor::default())
                            .forget_lifetime()
                    });
                    if let Some(launch) = launches.next() {
                        self.launch(pass, launch, run);
                    }
                }
            }
        }
    }

    fn launch(&self, pass: &mut wgpu::ComputePass<'static>, launch: &Launch, run: Run) {
        pass.set_pipeline(&launch.pipeline.pipeline);
        pass.set_bind_group(0, &launch.group, &[]);
        let mut dispatch = |slice: &Slice| {
            if let (true, Some((_, group))) = (launch.grid, &self.grid) {
                pass.set_bind_group(grid::GROUP, group, &[slice.offset]);
            }
            pass.dispatch_workgroups(slice.groups, 1, 1);
        };
        match run {
            Run::First => launch.slices.iter().for_each(&mut dispatch),
            Run::Second => launch.slices.iter().rev().for_each(&mut dispatch),
        }
    }

    fn inspect(
        &self,
        view: &[u8],
        frame: usize,
        nonce: [u8; 8],
    ) -> Result<(Readback, Vec<BufferFault>), ExecutionError> {
        let (runs, found) = view.split_at(self.layout.run_bytes as usize * 2);
        if found != nonce {
            return Err(ExecutionError::Sentinel);
        }
        let (first, second) = runs.split_at(self.layout.run_bytes as usize);
        let mut readback = Readback::default();
        let mut all = Vec::new();
        for (name, place) in &self.layout.places {
            let Some(images) = images(place, [first, second]) else {
                continue;
            };
            let buffer = &self.plan.buffers[name];
            if buffer.role == Role::Output {
                readback.buffers.insert(name.clone(), images.data[0].to_vec());
            }
            all.extend(faults(frame, name, buffer.element as usize, &place.extent, &images));
        }
        Ok((readback, all))
    }
}

/// The parts of a buffer in the read-back of each run; nothing where none of it was read back.
fn images<'r>(place: &Place, runs: [&'r [u8]; 2]) -> Option<Images<'r>> {
    let extent = &place.extent;
    let part = |start: u64, end: u64| {
        let holds = |range: &std::ops::Range<u64>| range.start <= start && end <= range.end;
        let (range, at) = place.copies.iter().find(|(range, _)| holds(range))?;
        let start = (at + start - range.start) as usize;
        let end = (at + end - range.start) as usize;
        Some(runs.map(|run| &run[start..end]))
    };
    Some(Images {
        front: part(0, extent.start)?,
        data: part(extent.start, extent.start + extent.bytes).unwrap_or_default(),
        back: part(extent.end(), extent.total())?,
    })
}

/// The inputs that do not end with a whole word: name, clip, plane and frames back.
fn ragged(plan: &Plan) -> impl Iterator<Item = (&str, usize, usize, usize)> {
    plan.buffers.iter().filter_map(|(name, buffer)| match buffer.role {
        Role::Input { clip, plane, back } if !buffer.bytes.is_multiple_of(4) => {
            Some((name.as_str(), clip, plane, back))
        }
        _ => None,
    })
}

fn whole_words(bytes: &[u8]) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.len() / 4 * 4)
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The number that proves the `count`-th frame complete: unlike any before, unlike what memory usually holds.
const fn sentinel(count: u64) -> [u8; 8] {
    count.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes()
}

fn bind(
    device: &wgpu::Device,
    dispatch: &Dispatch,
    plan: &Plan,
    layout: &Layout,
    buffers: &BTreeMap<&str, wgpu::Buffer>,
    group: &wgpu::BindGroupLayout,
) -> wgpu::BindGroup {
    let entries = dispatch.bindings.iter().map(|(&binding, name)| {
        let (offset, size) = match plan.buffers[name].role {
            Role::Uniform { .. } => (0, plan.buffers[name].bytes),
            _ => (layout.places[name].extent.start, layout.places[name].extent.bound()),
        };
        wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &buffers[name.as_str()],
                offset,
                size: wgpu::BufferSize::new(size),
            }),
        }
    });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(&dispatch.label),
        layout: group,
        entries: &entries.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_frames_share_a_sentinel_and_none_is_zero() {
        let numbers: std::collections::BTreeSet<_> = (1..=1000).map(sentinel).collect();
        assert_eq!(numbers.len(), 1000);
        assert!(!numbers.contains(&[0; 8]));
    }
}
