"""What there is to load: folders, zips and packages of rules, their manifests and the layers each stands on."""
