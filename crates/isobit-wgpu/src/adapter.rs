//! Finding the one adapter that a lane asks for. Never falls back to another.

use std::collections::BTreeMap;

use isobit::execution::{AdapterFacts, AdapterRequest, Backend, DeviceKind, ExecutionError};

/// The shader compiler in front of the driver.
const COMPILER: &str = concat!("naga ", env!("ISOBIT_NAGA_VERSION"));

/// The first adapter of the requested backend that `request` accepts.
///
/// # Errors
/// [`ExecutionError::NoAdapter`] with each adapter that was seen and why it was refused.
pub(crate) fn find(request: &AdapterRequest) -> Result<(wgpu::Adapter, AdapterFacts), ExecutionError> {
    let backends = match request.backend {
        Backend::Vulkan => wgpu::Backends::VULKAN,
        Backend::Gl => wgpu::Backends::GL,
        Backend::Metal => wgpu::Backends::METAL,
        Backend::Dx12 => wgpu::Backends::DX12,
    };
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    // The same device in debug and release builds: no validation layers, no debug information in shaders.
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let mut found = Vec::new();
    for adapter in pollster::block_on(instance.enumerate_adapters(backends)) {
        let Some(facts) = facts(&adapter) else { continue };
        match request.refusal(&facts) {
            None => return Ok((adapter, facts)),
            Some(refusal) => found.push(format!("`{}`: {refusal}", facts.name)),
        }
    }
    Err(ExecutionError::NoAdapter { found })
}

/// What an adapter says of itself; `None` for a backend that no request can name.
fn facts(adapter: &wgpu::Adapter) -> Option<AdapterFacts> {
    let info = adapter.get_info();
    let backend = match info.backend {
        wgpu::Backend::Vulkan => Backend::Vulkan,
        wgpu::Backend::Gl => Backend::Gl,
        wgpu::Backend::Metal => Backend::Metal,
        wgpu::Backend::Dx12 => Backend::Dx12,
        _ => return None,
    };
    let kind = match info.device_type {
        wgpu::DeviceType::Cpu => DeviceKind::Cpu,
        wgpu::DeviceType::IntegratedGpu => DeviceKind::Integrated,
        wgpu::DeviceType::DiscreteGpu => DeviceKind::Discrete,
        wgpu::DeviceType::VirtualGpu => DeviceKind::Virtual,
        wgpu::DeviceType::Other => DeviceKind::Other,
    };
    Some(AdapterFacts {
        backend,
        kind,
        name: info.name,
        driver: info.driver,
        driver_info: info.driver_info,
        vendor: info.vendor,
        device: info.device,
        compiler: COMPILER.to_owned(),
        limits: limits(&adapter.limits(), info.subgroup_min_size, info.subgroup_max_size),
    })
}

/// The limits that plans run into, under the names of the WebGPU specification.
fn limits(limits: &wgpu::Limits, subgroup_min: u32, subgroup_max: u32) -> BTreeMap<String, u64> {
    [
        ("max_buffer_size", limits.max_buffer_size),
        (
            "max_storage_buffer_binding_size",
            limits.max_storage_buffer_binding_size,
        ),
        (
            "max_uniform_buffer_binding_size",
            limits.max_uniform_buffer_binding_size,
        ),
        (
            "max_storage_buffers_per_shader_stage",
            limits.max_storage_buffers_per_shader_stage.into(),
        ),
        (
            "max_uniform_buffers_per_shader_stage",
            limits.max_uniform_buffers_per_shader_stage.into(),
        ),
        (
            "max_compute_invocations_per_workgroup",
            limits.max_compute_invocations_per_workgroup.into(),
        ),
        (
            "max_compute_workgroup_size_x",
            limits.max_compute_workgroup_size_x.into(),
        ),
        (
            "max_compute_workgroup_size_y",
            limits.max_compute_workgroup_size_y.into(),
        ),
        (
            "max_compute_workgroup_size_z",
            limits.max_compute_workgroup_size_z.into(),
        ),
        (
            "max_compute_workgroup_storage_size",
            limits.max_compute_workgroup_storage_size.into(),
        ),
        (
            "max_compute_workgroups_per_dimension",
            limits.max_compute_workgroups_per_dimension.into(),
        ),
        (
            "min_storage_buffer_offset_alignment",
            limits.min_storage_buffer_offset_alignment.into(),
        ),
        (
            "min_uniform_buffer_offset_alignment",
            limits.min_uniform_buffer_offset_alignment.into(),
        ),
        ("subgroup_min_size", subgroup_min.into()),
        ("subgroup_max_size", subgroup_max.into()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}
