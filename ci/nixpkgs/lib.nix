# The functions of nixpkgs' library that `flake.nix` calls.
rec {
  concatStringsSep = builtins.concatStringsSep;
  genAttrs =
    names: value:
    builtins.listToAttrs (
      map (name: {
        inherit name;
        value = value name;
      }) names
    );
  makeLibraryPath = packages: concatStringsSep ":" (map (package: "${package}/lib") packages);
}
