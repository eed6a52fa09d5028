FROM mcr.microsoft.com/dotnet/runtime-deps:10.0
COPY dotnet /usr/share/dotnet/
COPY host /usr/share/dotnet/host
COPY shared /usr/share/dotnet/shared
RUN ln -s /usr/share/dotnet/dotnet /usr/bin/dotnet
