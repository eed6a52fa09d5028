FROM apexshop/stand-in
COPY dotnet /usr/share/dotnet/
COPY host /usr/share/dotnet/host
COPY shared /usr/share/dotnet/shared
RUN ln -s /usr/share/dotnet/dotnet /usr/bin/dotnet && useradd --uid 1654 --create-home app
ENV APP_UID=1654 ASPNETCORE_HTTP_PORTS=8080 DOTNET_RUNNING_IN_CONTAINER=true
