//! Pipelines, made once for each source, entry point, set of constants and layout.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use isobit::plan::{Dispatch, grid};

use crate::validate::{Access, ValidDispatch};

/// A pipeline and the layout of its group 0.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) buffers: wgpu::BindGroupLayout,
}

/// All that tells one pipeline from another.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    source: Rc<str>,
    entry: String,
    constants: Vec<(String, u64)>,
    access: BTreeMap<u32, Access>,
    grid: bool,
}

/// The pipelines made so far.
#[derive(Debug)]
pub(crate) struct Pipelines {
    device: wgpu::Device,
    /// The layout of the group that holds the grid uniform.
    pub(crate) grid: wgpu::BindGroupLayout,
    sources: HashMap<Rc<str>, wgpu::ShaderModule>,
    made: HashMap<Key, Rc<Pipeline>>,
}

impl Pipelines {
    /// None yet.
    pub(crate) fn new(device: wgpu::Device) -> Self {
        let grid = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("grid"),
            entries: &[layout_entry(
                grid::BINDING,
                Access::Uniform,
                wgpu::BufferSize::new(grid::BYTES),
            )],
        });
        Self {
            device,
            grid,
            sources: HashMap::new(),
            made: HashMap::new(),
        }
    }

    /// The pipeline of a dispatch whose module has the source `source`.
    pub(crate) fn get(&mut self, source: &str, dispatch: &Dispatch, valid: &ValidDispatch) -> Rc<Pipeline> {
        let (source, module) = match self.sources.get_key_value(source) {
            Some((source, module)) => (Rc::clone(source), module.clone()),
            None => {
                let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(&dispatch.module),
                    source: wgpu::ShaderSource::Wgsl(source.into()),
                });
                let source: Rc<str> = source.into();
                self.sources.insert(Rc::clone(&source), module.clone());
                (source, module)
            }
        };
        let key = Key {
            source,
            entry: dispatch.entry.clone(),
            constants: dispatch
                .constants
                .iter()
                .map(|(name, value)| (name.clone(), value.to_bits()))
                .collect(),
            access: valid.access.clone(),
            grid: valid.grid,
        };
        if let Some(pipeline) = self.made.get(&key) {
            return Rc::clone(pipeline);
        }
        let pipeline = Rc::new(self.make(&module, dispatch, valid));
        self.made.insert(key, Rc::clone(&pipeline));
        pipeline
    }

    fn make(&self, module: &wgpu::ShaderModule, dispatch: &Dispatch, valid: &ValidDispatch) -> Pipeline {
        let entries: Vec<_> = valid
            .access
            .iter()
            .map(|(&binding, &access)| layout_entry(binding, access, None))
            .collect();
        let buffers = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(&dispatch.label),
            entries: &entries,
        });
        let groups = [Some(&buffers), Some(&self.grid)];
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(&dispatch.label),
            bind_group_layouts: if valid.grid { &groups } else { &groups[..1] },
            immediate_size: 0,
        });
        let constants: Vec<_> = dispatch
            .constants
            .iter()
            .map(|(name, &value)| (name.as_str(), value))
            .collect();
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&dispatch.label),
            layout: Some(&layout),
            module,
            entry_point: Some(&dispatch.entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        Pipeline { pipeline, buffers }
    }
}

fn layout_entry(binding: u32, access: Access, bytes: Option<wgpu::BufferSize>) -> wgpu::BindGroupLayoutEntry {
    let ty = match access {
        Access::Uniform => wgpu::BufferBindingType::Uniform,
        Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
        Access::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
    };
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            // Only the grid uniform, whose size is known beforehand, is bound again for each slice of a dispatch.
            has_dynamic_offset: bytes.is_some(),
            min_binding_size: bytes,
        },
        count: None,
    }
}
