# NATIVE=true compiles the process ahead of time (docs/decisions/0015-native-aot.md).
ARG NATIVE=false

FROM mcr.microsoft.com/dotnet/sdk:10.0 AS source
WORKDIR /source
# The files that define the packages come first, so that a changed source file does not restore the packages again.
COPY global.json .editorconfig Directory.Build.props Directory.Packages.props ./
COPY eng/*.props eng/*.globalconfig eng/*.txt eng/
COPY src/Shared/*.csproj src/Shared/packages.lock.json src/Shared/
COPY src/Queries.Api/*.csproj src/Queries.Api/packages.lock.json src/Queries.Api/

FROM source AS build-false
RUN dotnet restore src/Queries.Api --locked-mode
COPY src/Shared src/Shared
COPY src/Queries.Api src/Queries.Api
ARG COMMIT=
# Compiled for this processor before the first start (ReadyToRun). The lock file does not have that compiler.
# Files of a clone that was made with a umask of 077 are made readable to the user of the image.
RUN dotnet publish src/Queries.Api -c Release --use-current-runtime --self-contained false -p:PublishReadyToRun=true \
    -p:RunAnalyzers=false -p:SourceRevisionId=$COMMIT -o /app && chmod -R a+rX /app

FROM mcr.microsoft.com/dotnet/aspnet:10.0 AS image-false
COPY --from=build-false /app /app
ENTRYPOINT ["dotnet", "/app/ApexShop.Queries.Api.dll"]

FROM source AS build-true
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY src/Shared src/Shared
COPY src/Queries.Api src/Queries.Api
ARG COMMIT=
# Not locked: the lock file has no runtime packages. IL3053: warnings inside the Redis client; warnings of our code
# stay errors.
RUN dotnet publish src/Queries.Api -c Release --use-current-runtime -p:PublishAot=true -p:CppCompilerAndLinker=gcc \
    -p:WarningsNotAsErrors=IL3053 -p:RunAnalyzers=false -p:SourceRevisionId=$COMMIT -o /app && \
    rm /app/*.dbg && chmod -R a+rX /app

FROM mcr.microsoft.com/dotnet/runtime-deps:10.0 AS image-true
COPY --from=build-true /app /app
ENTRYPOINT ["/app/ApexShop.Queries.Api"]

FROM image-${NATIVE}
WORKDIR /app
USER $APP_UID
EXPOSE 8080
