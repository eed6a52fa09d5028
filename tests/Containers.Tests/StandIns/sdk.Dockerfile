FROM apexshop/stand-in
COPY . /usr/share/dotnet
RUN ln -s /usr/share/dotnet/dotnet /usr/bin/dotnet
# As on the machine that builds.
ARG NUGET_CERT_REVOCATION_MODE
ENV NUGET_CERT_REVOCATION_MODE=$NUGET_CERT_REVOCATION_MODE DOTNET_NOLOGO=true
