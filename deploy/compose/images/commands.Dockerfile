FROM mcr.microsoft.com/dotnet/sdk:10.0 AS build
WORKDIR /source
# The files that define the packages come first, so that a changed source file does not restore the packages again.
COPY global.json .editorconfig Directory.Build.props Directory.Packages.props ./
COPY eng/*.props eng/*.globalconfig eng/*.txt eng/
COPY src/Shared/*.csproj src/Shared/packages.lock.json src/Shared/
COPY src/Commands.Api/*.csproj src/Commands.Api/packages.lock.json src/Commands.Api/
RUN dotnet restore src/Commands.Api --locked-mode
COPY src/Shared src/Shared
COPY src/Commands.Api src/Commands.Api
ARG COMMIT=
# Compiled for this processor before the first start (ReadyToRun). The lock file does not have that compiler.
# Files of a clone that was made with a umask of 077 are made readable to the user of the image.
RUN dotnet publish src/Commands.Api -c Release --use-current-runtime --self-contained false -p:PublishReadyToRun=true \
    -p:RunAnalyzers=false -p:SourceRevisionId=$COMMIT -o /app && chmod -R a+rX /app

FROM mcr.microsoft.com/dotnet/aspnet:10.0
WORKDIR /app
COPY --from=build /app .
USER $APP_UID
EXPOSE 8080
ENTRYPOINT ["dotnet", "ApexShop.Commands.Api.dll"]
