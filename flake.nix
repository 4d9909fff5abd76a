# The toolchain and the software drivers as a closure: `nix develop`, or `cargo xtask parity --env nix`, which enters it by itself.
{
  description = "Isobit, the parity gate for WGSL compute kernels";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { nixpkgs, ... }:
    let
      inherit (nixpkgs) lib;

      shells =
        system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          cpu = pkgs.stdenv.hostPlatform.parsed.cpu.name;

          # Its tests pull in libraries that current compilers refuse, and are of no use here.
          swiftshader = pkgs.swiftshader.overrideAttrs (old: {
            cmakeFlags = (old.cmakeFlags or [ ]) ++ [
              "-DSWIFTSHADER_BUILD_TESTS=OFF"
              "-DSWIFTSHADER_WARNINGS_AS_ERRORS=OFF"
            ];
          });

          manifests = {
            lavapipe = "${pkgs.mesa}/share/vulkan/icd.d/lvp_icd.${cpu}.json";
            swiftshader = "${swiftshader}/share/vulkan/icd.d/vk_swiftshader_icd.json";
          };

          toolchain = [
            pkgs.cargo
            pkgs.clippy
            pkgs.git
            pkgs.rustc
            pkgs.rustfmt
          ];

          # A shell in which the Vulkan loader sees these drivers and no others. Loaders before 1.3.207 know the second name only.
          vulkan =
            name: drivers:
            let
              files = lib.concatStringsSep ":" (map (driver: manifests.${driver}) drivers);
            in
            pkgs.mkShell {
              name = "isobit-${name}";
              packages = toolchain ++ [
                pkgs.nodejs
                pkgs.vulkan-tools
              ];
              LD_LIBRARY_PATH = lib.makeLibraryPath [ pkgs.vulkan-loader ];
              VK_DRIVER_FILES = files;
              VK_ICD_FILENAMES = files;
              ISOBIT_NIX_SHELL = name;
            };
        in
        if pkgs.stdenv.hostPlatform.isLinux then
          {
            default = vulkan "default" [
              "lavapipe"
              "swiftshader"
            ];
            lavapipe = vulkan "lavapipe" [ "lavapipe" ];
            swiftshader = vulkan "swiftshader" [ "swiftshader" ];
          }
        else
          {
            # Metal comes with the system.
            default = pkgs.mkShell {
              name = "isobit-default";
              packages = toolchain;
              ISOBIT_NIX_SHELL = "default";
            };
          };
    in
    {
      devShells = lib.genAttrs [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ] shells;
    };
}
